import { randomBytes } from 'node:crypto'
import { existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const FILE = 'jwt-secret'
const MIN_CHARACTERS = 32

/**
 * The secret that signs sessions when none is configured: created once, readable by the owner only, and used from then
 * on, so that sessions survive a restart.
 * @throws Error when the file exists but is too short
 */
export function storedSecret(dataDir: string): string {
  const path = join(dataDir, FILE)
  if (!existsSync(path)) createSecret(path)
  const secret = readFileSync(path, 'utf8').trim()
  if (secret.length >= MIN_CHARACTERS) return secret
  throw new Error(
    `The file ${FILE} in the data folder is damaged; without it a new one is created and all sessions end`,
  )
}

/** Written completely under another name before it is renamed, so that a crash leaves no partial secret. */
function createSecret(path: string): void {
  const draft = `${path}.new`
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', 0o600)
  writeSync(file, `${randomBytes(48).toString('base64url')}\n`)
  fsyncSync(file)
  linkSync(draft, path)
  rmSync(draft)
}
