"""The demo's topics: what a programmer may want from Python's standard library, and what would answer it.

Each narrative says what is highly relevant (grade 2), relevant (1) and not relevant (0), so that two assessors who
read it come to the same grades. What a topic asks for does not depend on the version of Python.
"""

from __future__ import annotations

from workbench.core.records import Grade, Topic

GRADES = (
    Grade(0, "Not relevant", "Does not help with what the topic asks for, even if it uses the same words."),
    Grade(
        1,
        "Relevant",
        "Helps in part: a step on the way, a special case, or a tool that one would have to adapt.",
    ),
    Grade(2, "Highly relevant", "A reader with this need would stop looking here."),
)

GUIDELINES = (
    "Imagine a programmer who has the need that the topic describes and finds this piece of documentation. "
    "Judge what it tells her, not what you happen to know about the module.\n\n"
    "Grade 2: she can stop looking. Grade 1: it is useful, but only a part of the answer. Grade 0: she goes on to "
    "the next one. When you cannot tell, say so."
)

TOPICS = (
    Topic(
        "101",
        "Reading a configuration file with sections and options",
        "How does a program read its settings from a configuration file (INI file) made of named sections with "
        "keys and values?",
        "Highly relevant: classes or functions that read such a file or string, or that return the value of an "
        "option, converted to a number or truth value if need be. Relevant: listing sections and options, "
        "defaults, writing the file back. Settings of particular tools, of logging or of the interpreter itself "
        "are not relevant unless they are read from a file of this form.",
    ),
    Topic(
        "102",
        "Temporary files that delete themselves",
        "What creates a temporary file or directory that is deleted automatically when it is closed or no longer "
        "needed?",
        "Highly relevant: files and folders that disappear when they are closed or when a block ends. Relevant: "
        "temporary files that the caller has to delete, and functions that choose their name or place. Deleting "
        "ordinary files, and buffers that never touch the disk, are not relevant.",
    ),
    Topic(
        "103",
        "Packing a directory into a zip or tar archive",
        "How can a whole directory with its files be packed into one archive, a zip file or a tar file?",
        "Highly relevant: one call that packs a folder, or a method that adds a folder and everything below it. "
        "Relevant: opening an archive for writing, adding single files or bytes, choosing compression. Unpacking, "
        "listing and compressing a single stream without an archive are not relevant.",
    ),
    Topic(
        "104",
        "Differences between two versions of a text",
        "Which functions compare two sequences of lines and show the lines that differ, as a diff?",
        "Highly relevant: output of changed lines for people, as plain text, patch or web page. Relevant: finding "
        "the matching parts of two sequences, measures of similarity, close matches of a word. Comparing whole "
        "files or folders for equality only, or objects in tests, is not relevant unless the difference itself is "
        "shown.",
    ),
    Topic(
        "105",
        "Running an external command and capturing its output",
        "How does a Python program start a command as a subprocess, wait for it and get its output?",
        "Highly relevant: starts a command and gives back its output. Relevant: starting a command without "
        "reading its output, talking to a process that already runs, waiting for its end, its exit status. "
        "Running Python functions in worker processes, and commands of interactive shells written in Python, are "
        "not relevant.",
    ),
    Topic(
        "106",
        "Waiting for several tasks or futures to complete",
        "How can a program start many concurrent tasks and wait until all of them, or the first one, have "
        "completed?",
        "Highly relevant: functions that wait for a group of tasks or futures, or hand out results as they are "
        "completed, in event loops, threads or processes. Relevant: starting one task, executors and pools that "
        "tasks are submitted to, cancelling, a time limit for waiting. Locks and other ways to protect data are "
        "not relevant.",
    ),
    Topic(
        "107",
        "Shared memory and queues between processes",
        "By which means can several processes share data or send objects to each other?",
        "Highly relevant: shared memory, shared values, queues, pipes and managers between processes. Relevant: "
        "helpers that such objects need, such as servers, proxies or locks across processes. Sharing between "
        "threads of a single process, and network protocols for strangers, are not relevant.",
    ),
    Topic(
        "108",
        "Parsing command line options with a help message",
        "What parses the arguments on a program's command line, checks the options and prints usage and help?",
        "Highly relevant: defining options or arguments, parsing them, printing usage or help. Relevant: details "
        "such as types, choices, sub-commands, error exits, how help is laid out. The options that a particular "
        "tool of the library happens to accept, and commands typed into an interactive prompt, are not relevant.",
    ),
    Topic(
        "109",
        "Sending an email message with an attachment",
        "How is an email message with an attached file put together and sent through an SMTP server?",
        "Highly relevant: adding an attachment or building a message of several parts, and sending a message "
        "through a server. Relevant: headers, addresses, encodings of such a message, logging in to the sending "
        "server. Reading, storing and fetching mail are not relevant.",
    ),
    Topic(
        "110",
        "Priority queue that returns the smallest item first",
        "Which data structures, such as a heap, return items in order of priority, lowest first?",
        "Highly relevant: priority queues and heap operations that push an item or pop the smallest one. "
        "Relevant: the few largest or smallest of many values, events in order of their time, keeping a list "
        "sorted while inserting. Sorting a whole list once, and queues in order of arrival, are not relevant.",
    ),
    Topic(
        "111",
        "Rotating log files by size or by time",
        "How can a logging handler write to a file that is rotated when it reaches a certain size or after a "
        "certain time?",
        "Highly relevant: handlers that start a new file by size or by time, and their methods that decide on it "
        "or do it. Relevant: logging to files in general, noticing that somebody else has moved the file. Log "
        "levels, formats and logging to other places are not relevant.",
    ),
    Topic(
        "112",
        "Caching the results of function calls",
        "How can the result of an expensive function or property be cached, so that it is computed only once for "
        "the same arguments?",
        "Highly relevant: decorators that keep results by arguments, or computed attributes that are worked out "
        "once. Relevant: clearing or inspecting such a memory, dictionaries that forget entries nobody uses. "
        "Caches that modules keep for their own purposes, and caches of files on disk, are not relevant.",
    ),
    Topic(
        "113",
        "Mean, median and standard deviation of data",
        "Which functions compute averages such as the mean or median, and measures of spread such as the "
        "variance, of data?",
        "Highly relevant: any mean, median, quantile, variance or standard deviation of given data. Relevant: "
        "other summaries of data, such as correlation, a line through points, or a distribution with a given mean "
        "and spread. Drawing random numbers from a distribution is not relevant.",
    ),
    Topic(
        "114",
        "Choosing random elements from a list",
        "How are one or several random elements chosen from a sequence, or the sequence shuffled in place?",
        "Highly relevant: picking from a sequence, with or without repetition, weighted or not, and shuffling. "
        "Relevant: random whole numbers in a range, seeding so that a choice can be repeated, choices that nobody "
        "can predict. Random real numbers of some distribution are not relevant.",
    ),
    Topic(
        "115",
        "Rounding decimal numbers to a number of places",
        "How can amounts such as prices be rounded exactly as decimal numbers, with a chosen rounding mode and "
        "precision?",
        "Highly relevant: decimal numbers rounded to a given number of places, and control of the way of rounding "
        "and the precision. Relevant: exact arithmetic on decimals or fractions, conversion from and to text. "
        "Formatting of ordinary floating-point numbers is not relevant.",
    ),
    Topic(
        "116",
        "Finding all files that match a pattern in a directory tree",
        "What walks a directory tree, or lists the path names that match a pattern with shell wildcards?",
        "Highly relevant: walks a tree of folders, or yields the paths that match a pattern. Relevant: the "
        "contents of a single folder, testing one name against a pattern, translating patterns. Copying or "
        "deleting trees, and searching for modules or programs, are not relevant.",
    ),
    Topic(
        "117",
        "Fetching the contents of a URL over HTTP",
        "How does a program open a URL, send an HTTP request and read the response of the server?",
        "Highly relevant: opens an address or sends a request and returns the response. Relevant: headers, "
        "redirects, proxies, passwords, cookies and errors of such requests, reading the response. The server's "
        "side is not relevant.",
    ),
    Topic(
        "118",
        "A simple HTTP server",
        "Which classes handle HTTP requests, for example to serve the files of a directory?",
        "Highly relevant: servers and request handlers for HTTP, including those that run a web application. "
        "Relevant: servers for any protocol that these build on, methods that write parts of the answer. Clients, "
        "and servers for other protocols that have nothing to do with it, are not relevant.",
    ),
    Topic(
        "119",
        "Profiling where a program spends its time",
        "What measures the execution time of a program, function by function, or of a small code snippet?",
        "Highly relevant: profilers, their reports, and timing of code snippets. Relevant: reading, sorting, "
        "combining or saving such measurements, counting which lines were run. Clocks and dates in general, "
        "memory use, and debugging step by step are not relevant.",
    ),
    Topic(
        "120",
        "Replacing an object by a mock in tests",
        "How can a test patch an object with a mock and assert afterwards how it was called?",
        "Highly relevant: creating such objects, replacing attributes for the length of a test, assertions about "
        "calls. Relevant: what a fake returns or raises, resetting it, fakes for special cases. Test cases and "
        "assertions in general are not relevant.",
    ),
    Topic(
        "121",
        "Reading and writing CSV files",
        "How are rows of comma-separated values (CSV) read from a file and written to one?",
        "Highly relevant: readers and writers of such rows, also as dictionaries. Relevant: the rules of quoting "
        "and separating, guessing these from a sample. Splitting strings in general, and other file formats, are "
        "not relevant.",
    ),
    Topic(
        "122",
        "Parsing XML incrementally with events",
        "How can XML be parsed while it is being read, with events for elements, without building the whole "
        "document?",
        "Highly relevant: parsers that report elements as events, step by step or as data arrives. Relevant: "
        "handlers and objects that receive such events, setting up such a parser. Building or changing a whole "
        "tree, and writing XML, are not relevant.",
    ),
    Topic(
        "123",
        "Threads that wait for each other",
        "How do threads notify each other, wait on a condition, event or barrier, or acquire a lock?",
        "Highly relevant: locks, conditions, events, semaphores and barriers for threads, and waiting for a "
        "thread's end. Relevant: queues between threads, timers, the same objects for processes. The same objects "
        "for tasks in an event loop are not relevant, unless what is said would serve a user of threads as well.",
    ),
    Topic(
        "124",
        "Checking whether an IP address is in a network",
        "How are IP addresses and networks created from strings, and how does one test that an address is part of "
        "a network?",
        "Highly relevant: objects for addresses and networks, tests of membership or overlap. Relevant: "
        "properties of an address (private, loopback and the like), the hosts or subnets of a network. Sockets, "
        "host names and web addresses are not relevant.",
    ),
    Topic(
        "125",
        "Escaping special characters in HTML, XML and URLs",
        "Which functions escape or quote special characters, so that a string can stand in HTML, in XML or in a "
        "URL?",
        "Highly relevant: escapes text for one of these, or takes the escapes away again. Relevant: building the "
        "query part of an address from values, writers that escape by themselves. Encodings of characters as "
        "bytes, and quoting for e-mail or for a shell, are not relevant.",
    ),
    Topic(
        "126",
        "Context managers and callbacks for clean-up",
        "How can a program make sure that resources are closed and cleanup functions are called, even when an "
        "exception is raised?",
        "Highly relevant: context managers and tools to write or combine them, callbacks that run at the end of a "
        "block or of the program. Relevant: clean-up in tests, and finalizers of objects. Methods that merely "
        "close one kind of file or connection are not relevant.",
    ),
    Topic(
        "127",
        "Getting the source code and signature of a function",
        "How can a program get the source lines, the signature or the docstring of a function or class object?",
        "Highly relevant: returns source lines, signature or documentation of a live object. Relevant: the file "
        "or line where something is defined, members of an object, parsing source into a tree. Disassembled byte "
        "code and the call stack are not relevant.",
    ),
    Topic(
        "128",
        "Wrapping paragraphs of text to a given width",
        "Which functions wrap or fill text so that lines are at most a given number of characters, or change "
        "indentation?",
        "Highly relevant: wraps, fills, shortens, indents or dedents text. Relevant: options of such functions, "
        "layout of help texts and of nested data by width. Line endings, and reading files line by line, are not "
        "relevant.",
    ),
)
