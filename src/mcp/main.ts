import { packageVersion } from './packageVersion.ts';
import { runMcp } from './runMcp.ts';

// Should something linger when the client is gone, it does not keep the process.
void runMcp(packageVersion()).finally(() => setTimeout(() => process.exit(), 500).unref());
