# bert 
