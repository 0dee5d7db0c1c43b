# stronger
