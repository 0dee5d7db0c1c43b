"""``--cluster``: the same work on other machines, with Dask; imported only for that option."""
