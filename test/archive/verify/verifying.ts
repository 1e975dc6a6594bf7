import { join } from 'node:path'
import { type Verified, verifyArchive } from '../../../src/archive/verify/verify.ts'
import { testApp } from '../../app.ts'

/** Restores into a library of its own, as `bun run verify` does. */
export async function verified(zip: Uint8Array, env: Readonly<Record<string, string>> = {}): Promise<Verified> {
  await using scratch = await testApp({ env })
  const path = join(scratch.deps.config.dataDir, 'a.zip')
  await Bun.write(path, zip)
  return await verifyArchive(scratch.deps, path)
}

/** One line of the table of counts. */
export const line = (inArchive: number, restored = inArchive, equal: number | null = restored) => ({
  ...{ inArchive, restored, equal },
})
