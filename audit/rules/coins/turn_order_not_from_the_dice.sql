-- clause: CN-1
-- severity: error
-- The turn order is not the one that the dice give.
SELECT log, laid_out.match, laid_out.seq, shown(due) AS expected, shown("order") AS found
FROM (
    SELECT log, [
        keyed.seat FOR keyed IN list_sort([
            {key: shuffle_key(seed, 'order', seat::VARCHAR), seat: seat}
            FOR seat IN range(len(players))
        ])
    ] AS due
    FROM matches
    WHERE game = 'coins' AND seed IS NOT NULL
)
JOIN coins_laid_out AS laid_out USING (log)
WHERE "order" <> due;
