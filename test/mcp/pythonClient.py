"""An agent on the published Python package `mcp`: starts a server, does the steps on stdin, prints what it got.

stdin: {"command", "args", "env", "steps": [{"name", "arguments"}]}
stdout: {"tools": [...], "asked": [...], "results": [...]}, as the protocol writes them
"""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import ElicitResult


async def main() -> None:
    task = json.load(sys.stdin)
    asked = []

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

    def plain(value):
        return value.model_dump(mode="json", by_alias=True)

    answer = {
        "tools": [tool.name for tool in tools.tools],
        "asked": asked,
        "results": [plain(result) for result in results],
    }
    print(json.dumps(answer))


asyncio.run(main())
