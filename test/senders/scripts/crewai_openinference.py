from common import SESSION, USER, start_tracing

provider = start_tracing()
from crewai_agent import run
from openinference.instrumentation import using_attributes
from openinference.instrumentation.crewai import CrewAIInstrumentor
from openinference.instrumentation.openai import OpenAIInstrumentor

CrewAIInstrumentor().instrument()
OpenAIInstrumentor().instrument()
with using_attributes(session_id=SESSION, user_id=USER):
    run()
provider.shutdown()
