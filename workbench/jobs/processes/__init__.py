"""Heavy work beside the server: worker processes with limits, and jobs that share them.

`Workers` runs one function in a process of its own, under limits of time and memory; a process that dies, hangs or
grows too large is ended and takes nothing else with it. `Jobs` decides who uses them: few at a time, and one for each
owner (a campaign). `JobStore` keeps what people see of a job: its name, how far it is, and its end. `Seats` bounds the
server's own threads that work for long or wait for a job. A worker is no
sandbox: it has the rights of the server, and is trusted with the server's files.
"""

from workbench.jobs.processes.job_store import JobStore, Outcome, Record, StartedJob, Title
from workbench.jobs.processes.jobs import Body, Job, Jobs, Run, Seats
from workbench.jobs.processes.work import (
    Cancelled,
    JobFailed,
    Limits,
    MemoryExceeded,
    OnStep,
    Step,
    TimeExceeded,
    TooManyJobs,
    Work,
    WorkerDied,
    counting,
    reported,
)
from workbench.jobs.processes.workers import Workers
