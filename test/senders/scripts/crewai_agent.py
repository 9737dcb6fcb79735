from common import BROKEN, MODEL, QUESTION, RULES, expect_failure, get_weather
from crewai import Agent, Crew, LLM, Task
from crewai.tools import tool


def ask(model):
    llm = LLM(model=f"openai/{model}")
    weather = tool("get_weather")(get_weather)
    agent = Agent(role="weather", goal="Tell the weather", backstory=RULES, llm=llm, tools=[weather], max_retry_limit=0)
    task = Task(description=QUESTION, expected_output="one sentence", agent=agent)
    print(Crew(agents=[agent], tasks=[task]).kickoff())


def run():
    ask(MODEL)
    expect_failure(lambda: ask(BROKEN))
