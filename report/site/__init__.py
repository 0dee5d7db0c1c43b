"""The site of tournaments: static pages with links between standings, bots and matches."""
