"""Jobs: work that takes long, beside the thread that asked for it.

Here belong worker processes with limits and the list of jobs (`processes/`), the one door to Dask (`cluster.py`),
threads in the background, and the progress of a loop. It imports `core` alone. Read first: `processes/jobs.py`.
"""
