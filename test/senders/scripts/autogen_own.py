from common import start_tracing

provider = start_tracing()
from autogen_agent import run_all

run_all()
provider.shutdown()
