import { Type } from '@sinclair/typebox'
import { Arrival, choice, nullable, Timestamp, Uuid } from '../../http/schemas.ts'
import { SCOPES } from './api-keys.ts'

export const ApiKey = {
  id: Uuid,
  label: nullable(Type.String()),
  keyPrefix: Type.String(),
  scope: choice(...SCOPES),
  createdAt: Timestamp,
}

export const ListedApiKey = Type.Object({ ...ApiKey, revokedAt: nullable(Timestamp), lastUpload: Arrival })

export const User = Type.Object({
  userId: Uuid,
  username: Type.String(),
  createdAt: Timestamp,
  lastLoginAt: nullable(Timestamp),
})
