// duckdb.mjs imports Apache Arrow by name, for results in its format. This site takes results as
// CSV, so nothing of Arrow is used.
export {};
