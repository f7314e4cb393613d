export function animation(
  frames: readonly { readonly picture: Buffer; readonly ms: number }[],
  width: number,
  height: number,
): Buffer;
