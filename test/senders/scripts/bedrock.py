import os

import boto3
from common import QUESTION, RULES, TOOL, get_weather

FUNCTION = TOOL["function"]
SPEC = {"name": "get_weather", "description": "Weather.", "inputSchema": {"json": FUNCTION["parameters"]}}


def ask(model):
    client = boto3.client(
        "bedrock-runtime",
        region_name="us-east-1",
        endpoint_url=os.environ["BEDROCK_BASE_URL"],
        aws_access_key_id="none",
        aws_secret_access_key="none",
    )
    messages = [{"role": "user", "content": [{"text": QUESTION}]}]
    more = {"modelId": model, "system": [{"text": RULES}], "toolConfig": {"tools": [{"toolSpec": SPEC}]}}
    first = client.converse(messages=messages, **more)["output"]["message"]
    result = {"toolUseId": first["content"][0]["toolUse"]["toolUseId"], "content": [{"text": get_weather("Paris")}]}
    messages += [first, {"role": "user", "content": [{"toolResult": result}]}]
    print(client.converse(messages=messages, **more)["output"])
