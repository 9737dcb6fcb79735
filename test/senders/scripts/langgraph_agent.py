from common import BROKEN, MODEL, QUESTION, RULES, expect_failure, get_weather
from langchain.agents import create_agent
from langchain_openai import ChatOpenAI


def run(config):
    def ask(model):
        agent = create_agent(ChatOpenAI(model=model), tools=[get_weather], system_prompt=RULES, name="weather")
        messages = agent.invoke({"messages": [{"role": "user", "content": QUESTION}]}, config=config)["messages"]
        print(messages[-1].content)

    ask(MODEL)
    expect_failure(lambda: ask(BROKEN))
