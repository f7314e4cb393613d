export { MCP_CLIENTS, type McpCommand } from './clientConfigurations.ts';
export { writeLauncher } from './launcher.ts';
export { type McpClient, startMcpClient, type ToolResult } from './stdioClient.ts';
