import { statfs } from 'node:fs/promises'
import { HOUR_MS } from '../../engine/units.ts'
import type { Deps } from '../../library/deps.ts'

/** An upload on disk, with what removes it. */
export interface HeldUpload {
  readonly path: string
  readonly filename: string
  dispose(): Promise<void>
}

/** The upload of the last dry run, kept so that the import need not send it again. */
export interface Held {
  /** Keeps an upload in place of an earlier one. @returns its id */
  keep(upload: HeldUpload): Promise<string>
  /** The upload, which the caller disposes of; null: it is gone, or was never kept. */
  take(id: string): HeldUpload | null
  /** Removes it, as when room is needed. */
  drop(): Promise<void>
}

const KEPT_MS = HOUR_MS
const LOOK_MS = 60_000
/** With less room on the disk the upload goes. */
const LEAST_FREE_BYTES = 256 * 1_048_576

/** @param freeBytes of the disk that a folder is on */
export function createHeld(
  { after, config, log, now }: Pick<Deps, 'after' | 'config' | 'log' | 'now'>,
  freeBytes = freeBytesAt,
): Held {
  let held: { readonly id: string; readonly untilMs: number; readonly upload: HeldUpload; cancel(): void } | null = null
  const taken = () => {
    held?.cancel()
    const upload = held?.upload ?? null
    held = null
    return upload
  }
  const drop = async () => {
    await taken()
      ?.dispose()
      .catch((error: unknown) => log.error('An upload that was kept for its import could not be removed', error))
  }
  const look = (id: string) => {
    const cancel = after(LOOK_MS, () => {
      void freeBytes(config.dataDir).then((bytes) => {
        if (held?.id !== id) return
        if (now() >= held.untilMs || bytes < LEAST_FREE_BYTES) void drop()
        else look(id)
      })
    })
    if (held !== null) held.cancel = cancel
  }
  return {
    keep: async (upload) => {
      const dropped = drop()
      const id = crypto.randomUUID()
      held = { id, untilMs: now() + KEPT_MS, upload, cancel: () => {} }
      look(id)
      await dropped
      return id
    },
    take: (id) => (held?.id === id.toLowerCase() && now() < held.untilMs ? taken() : null),
    drop,
  }
}

async function freeBytesAt(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
