// reset-password: sets a new password, for anyone who may write to DATA_DIR; works while the server runs.
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { eq, sql } from 'drizzle-orm'
import { configFromEnvironment } from '../base/config.ts'
import { consoleLog } from '../base/log.ts'
import { type Db, openExistingDb } from '../db/open.ts'
import { loginFailures, users } from '../db/schema-account.ts'
import { hashPassword, passwordFault } from '../features/auth/password.ts'

/**
 * Asks for the password twice at a terminal, without echo; otherwise reads the first line of standard input.
 * @returns the exit code
 * @throws Error with a sentence
 */
export async function resetPasswordCommand(): Promise<0> {
  const config = configFromEnvironment()
  const { dataDir } = config
  const database = join(dataDir, 'harrier.sqlite')
  if (!(await Bun.file(database).exists())) throw new Error(`There is no database in ${dataDir}`)
  const db = openExistingDb(database)
  try {
    const username = await resetPassword(db, await newPassword())
    consoleLog(config.logLevel, { format: config.logFormat }).info('The password was reset')
    process.stdout.write(`The password of ${username} is changed, and all sessions have ended. API keys stay.\n`)
  } finally {
    db.$client.close()
  }
  return 0
}

/** @throws Error when the two entries differ, or there is none */
async function newPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await Bun.stdin.text()).split(/\r?\n/, 1)[0] ?? ''
  const password = await unseen('New password: ')
  if ((await unseen('Once more: ')) !== password) throw new Error('The two passwords differ, nothing was changed')
  return password
}

/** Reads one line from the terminal without echo. @throws Error when input ends before */
function unseen(question: string): Promise<string> {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  lines.once('line', resolve)
  lines.once('close', () => reject(new Error('Nothing was changed')))
  return promise.finally(() => {
    lines.close()
    process.stderr.write('\n')
  })
}

/**
 * Sets a new password for the only user, for anyone who may write to the database. All sessions end and failed logins
 * are forgotten; API keys stay valid. A running server notices at its next request.
 * @returns the user name
 * @throws Error with one sentence when there is no user, or the password breaks a rule
 */
async function resetPassword(db: Db, password: string): Promise<string> {
  const user = db.select({ id: users.id, username: users.username }).from(users).get()
  if (user === undefined) throw new Error('There is no account yet; the first person to open the page creates it')
  const fault = passwordFault(password, user.username)
  if (fault !== null) throw new Error(fault)
  const passwordHash = await hashPassword(password)
  db.transaction((tx) => {
    const changed = { passwordHash, sessionVersion: sql`${users.sessionVersion} + 1` }
    tx.update(users).set(changed).where(eq(users.id, user.id)).run()
    tx.delete(loginFailures).run()
  })
  return user.username
}
