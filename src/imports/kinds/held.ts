import { statfs } from 'node:fs/promises'
import { HOUR_MS } from '../../engine/units.ts'
import type { Deps } from '../../library/deps.ts'

export interface HeldUpload {
  readonly path: string
  readonly filename: string
  dispose(): Promise<void>
}

const KEPT_MS = HOUR_MS
const LOOK_MS = 60_000
/** With less room on the disk the upload goes. */
const LEAST_FREE_BYTES = 256 * 1_048_576

export type Held = ReturnType<typeof createHeld>

/** The upload of the last dry run, kept for an hour so that the import need not send it again. */
export function createHeld({ after, config, log, now }: Pick<Deps, 'after' | 'config' | 'log' | 'now'>) {
  let held: { readonly id: string; readonly untilMs: number; readonly upload: HeldUpload; cancel(): void } | null = null
  const taken = () => {
    held?.cancel()
    const upload = held?.upload ?? null
    held = null
    return upload
  }
  /** Removes it, as when room is needed. */
  const drop = async () => {
    await taken()
      ?.dispose()
      .catch((error: unknown) => log.error('An upload that was kept for its import could not be removed', error))
  }
  const look = async () => {
    const { bavail, bsize } = await statfs(config.dataDir).catch(() => ({ bavail: Number.POSITIVE_INFINITY, bsize: 1 }))
    if (held === null) return
    if (now() >= held.untilMs || bavail * bsize < LEAST_FREE_BYTES) await drop()
    else held.cancel = after(LOOK_MS, () => void look())
  }
  return {
    /** Keeps an upload in place of an earlier one. @returns its id */
    keep: async (upload: HeldUpload): Promise<string> => {
      const dropped = drop()
      const id = crypto.randomUUID()
      held = { id, untilMs: now() + KEPT_MS, upload, cancel: after(LOOK_MS, () => void look()) }
      await dropped
      return id
    },
    /** The upload, which the caller disposes of; null: it is gone, or was never kept. */
    take: (id: string): HeldUpload | null => (held?.id === id.toLowerCase() && now() < held.untilMs ? taken() : null),
    drop,
  }
}
