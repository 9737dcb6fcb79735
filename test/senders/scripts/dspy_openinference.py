import dspy
from common import BROKEN, MODEL, QUESTION, SESSION, USER, expect_failure, get_weather, start_tracing
from openinference.instrumentation import using_attributes
from openinference.instrumentation.dspy import DSPyInstrumentor

provider = start_tracing()
DSPyInstrumentor().instrument()


class Ask(dspy.Signature):
    """Be brief."""

    question: str = dspy.InputField()
    answer: str = dspy.OutputField()


def ask(model):
    adapter = dspy.ChatAdapter()
    with dspy.context(lm=dspy.LM(f"openai/{model}", cache=False, num_retries=0), adapter=adapter):
        print(dspy.Predict(Ask)(question=QUESTION))


with using_attributes(session_id=SESSION, user_id=USER):
    expect_failure(lambda: ask(MODEL))
    expect_failure(lambda: ask(BROKEN))
provider.shutdown()
