#!/bin/sh
# Takes one coin at a time, and takes the next only when the last is flipped.

IFS=';'
set -f
# shellcheck disable=SC2086 # the argument is to be split
set -- $1
me=$2
shift 3 # what is left are the players, Id_Points_Flipped_Unflipped

for player in "$@"; do
    case $player in
    "${me}_"*) unflipped=${player##*_} ;;
    esac
done

case $unflipped in
0) echo 1FN ;;
1) echo F1F ;;
2) echo FFN ;;
*) echo FFF ;;
esac
