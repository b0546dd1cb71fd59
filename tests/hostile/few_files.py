"""The real server, where a process may open 1,024 files and can't ask for more."""

import resource

from app import main

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))
    main.serve()
