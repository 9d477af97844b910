"""JupyterHub for one machine with Linux and systemd: each student an account, a folder and a server of their own.

README.md beside this file says how it is started. What a teacher may want to change is marked with →.
"""

import sys
from pathlib import Path

c = get_config()  # noqa: F821  # JupyterHub puts it there
bin_folder = Path(sys.executable).parent

# Nothing is open to the network: a web server with a certificate stands in front and passes on what comes (README.md).
c.JupyterHub.bind_url = "http://127.0.0.1:8000"

# → Who may sign in: the members of the group `students`, with the password of their account on this machine.
#   Anything else that JupyterHub knows can stand here. Whatever it is: nobody may come in who is not named.
c.JupyterHub.authenticator_class = "pam"
c.LocalAuthenticator.allowed_groups = {"students"}

# Each server is a unit of systemd, under the student's own account.
c.JupyterHub.spawner_class = "systemd"
c.SystemdSpawner.mem_limit = "1G"  # → for a server and its kernels together; README.md says what they take
c.SystemdSpawner.isolate_tmp = True
c.SystemdSpawner.isolate_devices = True
c.SystemdSpawner.disable_user_sudo = True
c.SystemdSpawner.unit_extra_properties = {
    "OOMPolicy": "continue",  # of a student who fills the memory, the kernel ends and the server stays
    "MemorySwapMax": "0",  # else a full memory would be a slow machine for all
    "TasksMax": "256",
    "ProtectProc": "invisible",  # nobody sees what others run
    "UMask": "0077",
}
c.Spawner.cmd = [str(bin_folder / "jupyterhub-singleuser")]
c.Spawner.default_url = "/lab"
c.Spawner.args = [
    "--KernelManager.transport=ipc",  # files that others cannot open; a port could be listened to by all accounts
    "--MappingKernelManager.cull_idle_timeout=1800",  # a kernel that no page shows, after half an hour
    "--MappingKernelManager.cull_interval=300",
]
c.Spawner.environment = {
    "PATH": f"{bin_folder}:/usr/local/bin:/usr/bin:/bin",
    "JUPYTER_RUNTIME_DIR": "/tmp/jupyter",  # the student's own /tmp: a server starts where a home is full, too
    "OPENBLAS_NUM_THREADS": "1",  # the machine is shared
    # What a large array took goes back to the machine at once; by default glibc keeps more the more was freed before.
    "MALLOC_MMAP_THRESHOLD_": "131072",
    "MALLOC_TRIM_THRESHOLD_": "131072",
}
c.Spawner.http_timeout = c.Spawner.start_timeout = 120
c.JupyterHub.concurrent_spawn_limit = 20  # → more at once are asked to try again in half a minute

# A hub that is started again finds the servers that run; no kernel ends with it.
c.JupyterHub.cleanup_servers = False

# → A server that nobody has used for an hour is stopped. Files stay, variables are gone.
culler = "idle-culler"
c.JupyterHub.services = [
    {"name": culler, "command": [sys.executable, "-m", "jupyterhub_idle_culler", "--timeout=3600", "--cull-every=300"]}
]
c.JupyterHub.load_roles = [
    {
        "name": culler,
        "services": [culler],
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
    }
]
