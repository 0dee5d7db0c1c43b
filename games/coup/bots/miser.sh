#!/bin/sh
# Saves coins by Income and Foreign Aid until it can Coup, and never claims a card.
#
# It neither blocks nor challenges, and gives up its first card. Once its Foreign Aid has been
# blocked, it stays with Income.

file=$1
cards=$4
shift 4 # what is left are the legal actions

newline='
'

if [ "${#cards}" -gt 2 ]; then # Exchange: keep our own, which lie after the two drawn cards
    printf '%s\n' "${cards#??}"
fi

case $1 in
"I$newline") # our turn: I F E T, then A C S as they apply
    if grep -q Fd "$file"; then action=$1; else action=F; fi
    for legal in "$@"; do
        if [ "$legal" = C ]; then action=C; fi
    done
    ;;
d | a) action=p ;;      # they take Foreign Aid or steal: let them
s) action=$3 ;;         # they assassinate: s q, then our cards
q) action=$newline ;;   # they block
*) action=$1 ;;         # pass, show, give up a card or close the turn
esac

printf '%s' "$action" >>"$file"
