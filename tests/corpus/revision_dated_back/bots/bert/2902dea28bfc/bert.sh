# bert better
