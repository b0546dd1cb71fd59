"""The real server, limited to 1,024 open files."""

import resource

from app import main

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))
    main.serve()
