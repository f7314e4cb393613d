/** MCP over HTTP (Streamable HTTP), for agents that have no process beside the service. */
export { type McpEndpoint, mountMcp, type OpenMcp } from './mountMcp.ts';
export { rpcErrorSchema, rpcMessageSchema } from './rpcMessage.ts';
