import { PASSWORD } from '../../base/texts.ts'
import { characters } from '../../http/check.ts'
import { isCommon } from './common-passwords.ts'

/** OWASP's argon2id parameters with the least memory: 20 ms and 19 MB; Bun's default takes 77 ms and 159 MB. */
const ARGON2ID = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const
/** Hash of a random text that was discarded: a login with an unknown name takes as long as one with a known name. */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$z4d5NgpHcNJCGvccPCm9TJtEjA8QSicaRwPg5XLdV/M$oNBPAScT9DO/EiFqGAqLQwhoY/yv44yfUQuZoRWaetU'

/** The first rule of docs/api.md 3 that a new password breaks, as a sentence. @param username trimmed */
export function passwordFault(password: string, username: string, field = 'password'): string | null {
  const length = characters(password)
  if (password.trim() === '') return `${field} must not be blank`
  if (length < PASSWORD.least) return `${field} must have at least ${PASSWORD.least} characters`
  if (length > PASSWORD.most) return `${field} must have at most ${PASSWORD.most} characters`
  if (Buffer.byteLength(password) > PASSWORD.mostBytes)
    return `${field} must have at most ${PASSWORD.mostBytes} bytes in UTF-8`
  if (/(.)\1{4}/su.test(password)) return `${field} must not repeat one character five or more times in a row`
  const isNamed = characters(username) >= 3 && password.toLowerCase().includes(username.toLowerCase())
  if (isNamed) return `${field} must not contain the username`
  return isCommon(password) ? `${field} is too common` : null
}

export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password, ARGON2ID)
}

/** @param hash null for an unknown user; the check then takes as long and fails */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const isRight = await Bun.password.verify(password, hash ?? NOBODY, 'argon2id')
  return isRight && hash !== null
}
