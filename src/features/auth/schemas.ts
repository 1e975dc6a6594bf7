import { Type } from '@sinclair/typebox'
import { Arrival, choice, day, meaning, moment, nullable, text, uuid } from '../../http/schemas.ts'
import { SCOPES } from './api-keys.ts'

export const Scope = { ...choice(...SCOPES), title: 'ApiKeyScope' }

export const SCOPE_WORDS =
  'full: all but creating keys and calendar addresses, changing the password and ending sessions; ' +
  'read: GET, but not of API keys; upload: imports'

const apiKey = {
  id: uuid('Id of the key'),
  label: nullable(text('What the runner calls it; null: nothing')),
  keyPrefix: text('The first 16 characters of the key'),
  scope: meaning(SCOPE_WORDS, Scope),
  createdAt: moment('When it was created'),
  expiresAt: nullable(moment('From then on it is refused, as if it were revoked; null: it does not expire')),
}

export const CreatedApiKey = Type.Object(
  { ...apiKey, key: text('The key, tmp_ and 43 characters of base64url; shown only here, only its SHA-256 is stored') },
  { title: 'CreatedApiKey' },
)

export const ListedApiKey = Type.Object(
  {
    ...apiKey,
    revokedAt: nullable(moment('When it was first revoked; null: it was not')),
    lastUsedAt: nullable(day('Last day on which it was sent while it was valid, in UTC; null: never')),
    lastUpload: nullable(
      meaning('When files last came with the key, and why none was imported; null: none ever came', Arrival),
    ),
  },
  { title: 'ApiKey' },
)

export const User = Type.Object(
  {
    userId: uuid('Id of the user'),
    username: text('Name to log in with, case-sensitive'),
    createdAt: moment('When the user registered'),
    lastLoginAt: nullable(moment('Last successful login; null: none yet')),
  },
  { title: 'User' },
)
