import { embedded } from './embedded.ts'

/** How this program is called, for commands in a process of their own. */
export const ITSELF: readonly string[] =
  embedded === null ? [process.execPath, new URL('../main.ts', import.meta.url).pathname] : [process.execPath]
