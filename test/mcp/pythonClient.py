"""An agent on the published Python package `mcp`: starts a server, or takes one by its URL, does the steps on stdin, prints what
it got.

stdin: {"command", "args", "env", "steps": [{"name", "arguments"}]}, or {"url", "mode", "steps"} with a revision as the mode
stdout: {"tools": [...], "asked": [...], "results": [...]}, as the protocol writes them

With --lines the first line of stdin is {"command", "args", "env"}, each later line is a step, and each result is a line of stdout.
"""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import ElicitResult


async def main() -> None:
    if "--lines" in sys.argv:
        return await by_lines()
    task = json.load(sys.stdin)
    asked = []
    if "url" in task:
        return await over_http(task)

    async def agree(_context, params):
        asked.append(params.message)
        return ElicitResult(action="accept", content={})

    server = StdioServerParameters(command=task["command"], args=task["args"], env=task["env"])
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write, elicitation_callback=agree) as session:
            await session.initialize()
            tools = await session.list_tools()
            results = [
                await session.call_tool(step["name"], step["arguments"]) for step in task["steps"]
            ]

    show(tools, asked, results)


async def by_lines() -> None:
    task = json.loads(sys.stdin.readline())
    server = StdioServerParameters(command=task["command"], args=task["args"], env=task["env"])
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            while line := await asyncio.to_thread(sys.stdin.readline):
                step = json.loads(line)
                result = await session.call_tool(step["name"], step["arguments"])
                print(json.dumps(result.model_dump(mode="json", by_alias=True)), flush=True)


async def over_http(task) -> None:
    from mcp import Client

    async with Client(task["url"], mode=task["mode"]) as client:
        tools = await client.list_tools()
        results = [
            await client.call_tool(step["name"], step["arguments"]) for step in task["steps"]
        ]
    show(tools, [], results)


def show(tools, asked, results) -> None:
    def plain(value):
        return value.model_dump(mode="json", by_alias=True)

    answer = {
        "tools": [tool.name for tool in tools.tools],
        "asked": asked,
        "results": [plain(result) for result in results],
    }
    print(json.dumps(answer))


asyncio.run(main())
