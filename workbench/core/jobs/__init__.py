"""Heavy work beside the server: worker processes with limits, and jobs that share them.

`Workers` runs one function in a process of its own, under limits of time and memory; a process that dies, hangs or
grows too large is ended and takes nothing else with it. `Jobs` decides who uses them: few at a time, and one for each
owner (a campaign). `Book` keeps what people see of a job: its name, how far it is, and its end. `Seats` bounds the
server's own threads that work for long or wait for a job. A worker is no
sandbox: it has the rights of the server, and is trusted with the server's files.
"""

from workbench.core.jobs.book import Begun, Book, Outcome, Record, Title
from workbench.core.jobs.jobs import Body, Job, Jobs, Run
from workbench.core.jobs.seats import Seats
from workbench.core.jobs.work import (
    JobFailed,
    Limits,
    MemoryExceeded,
    NotWanted,
    OnStep,
    Step,
    TimeExceeded,
    TooManyJobs,
    Work,
    WorkerDied,
    counting,
)
from workbench.core.jobs.workers import Workers

__all__ = [
    "Begun",
    "Body",
    "Book",
    "Job",
    "JobFailed",
    "Jobs",
    "Limits",
    "MemoryExceeded",
    "NotWanted",
    "OnStep",
    "Outcome",
    "Record",
    "Run",
    "Seats",
    "Step",
    "TimeExceeded",
    "Title",
    "TooManyJobs",
    "Work",
    "WorkerDied",
    "Workers",
    "counting",
]
