# cleo 
