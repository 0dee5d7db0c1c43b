# anna 
