"""An MCP server as the pages of the published package `mcp` show it. `stdio` or the port of Streamable HTTP."""

import sys

from mcp.server.mcpserver import MCPServer

mcp = MCPServer("weather")


@mcp.tool()
def forecast(city: str) -> str:
    """Weather forecast for a city."""
    return f"19 degrees in {city}"


@mcp.tool()
def fails() -> str:
    """Always fails."""
    raise ValueError("no")


if sys.argv[1] == "stdio":
    mcp.run()
else:
    mcp.run(transport="streamable-http", port=int(sys.argv[1]))
