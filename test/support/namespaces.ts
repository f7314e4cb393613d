import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

/** Arguments of `unshare` for process ids of its own, and a `/proc` that shows them, as in a container. */
export const PID_NAMESPACE = ['--pid', '--fork', '--kill-child', '--mount-proc'];
/** Arguments of `unshare` for file systems of its own. */
export const MOUNT_NAMESPACE = ['--mount'];

const succeeds = (args: readonly string[]) => spawnSync('unshare', args).status === 0;

/** Why a test with PID namespaces is skipped; false if it runs. */
export const noPidNamespaces = succeeds([...PID_NAMESPACE, 'true'])
  ? false
  : 'this system lets nobody make PID namespaces';

/** Why a test that mounts a small disk is skipped; false if it runs. */
export const noMounts = succeeds([...MOUNT_NAMESPACE, 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()])
  ? false
  : 'this system lets nobody mount file systems';
