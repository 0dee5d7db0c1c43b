-- The dice of schema/dice.py in SQL. All arithmetic uses exact integers.
-- h = sha256('seed:label'); word w (0 to 3) is its hex digits 16w … 16w+12, a 52-bit integer.
CREATE MACRO die_hash(seed, label) AS
    sha256(seed || ':' || label);

CREATE MACRO die_word(seed, label) AS
    ('0x' || substr(die_hash(seed, label), 1, 13))::UBIGINT::HUGEINT;

-- An integer from 0 to n − 1: ⌊word × n ÷ 2⁵²⌋.
CREATE MACRO die_below(seed, label, n) AS
    (die_word(seed, label) * n) // 4503599627370496;

-- True with probability a/b: word × b < a × 2⁵².
CREATE MACRO die_chance(seed, label, a, b) AS
    die_word(seed, label) * b < a::HUGEINT * 4503599627370496;

-- Bulk draw i, from 0: word i mod 4 of 'label#(i div 4)'.
CREATE MACRO die_bulk(seed, label, i) AS
    ('0x' || substr(die_hash(seed, label || '#' || (i // 4)), 1 + 16 * (i % 4), 13))::UBIGINT::HUGEINT;

-- A shuffle orders distinct items by this key.
CREATE MACRO shuffle_key(seed, label, item) AS
    die_hash(seed, label || ':' || item);
