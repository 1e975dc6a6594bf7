import { Type } from '@sinclair/typebox'
import { LENGTHS } from '../../base/texts.ts'
import { choice, integer, nullable, Timestamp, trimmedText, Uuid } from '../../http/schemas.ts'
import { MEDIA_TYPES } from './sniff.ts'

export const Media = Type.Object({
  id: Uuid,
  filename: Type.String({ description: 'As uploaded, without path and control characters' }),
  mimeType: choice(...MEDIA_TYPES),
  fileSizeBytes: integer(),
  caption: nullable(Type.String()),
  createdAt: Timestamp,
  lat: nullable(Type.Number({ description: 'Where on the map it is; null: unknown' })),
  lon: nullable(Type.Number()),
  placedBy: nullable(choice('gps', 'time')),
})

export const FileError = Type.Object({ filename: Type.String(), error: Type.String() })

/** The list of all files, or of some with the errors of the others. */
export const MediaUpload = Type.Union([
  Type.Array(Media),
  Type.Object({
    uploaded: Type.Array(Media),
    errors: Type.Array(FileError),
    successCount: integer(),
    errorCount: integer(),
  }),
])

/** `errors` is present when files were refused, not the request as a whole. */
export const MediaRefusal = Type.Object(
  { error: Type.String(), errors: Type.Optional(Type.Array(FileError)) },
  { examples: [{ error: 'The file is empty', errors: [{ filename: 'finish.jpg', error: 'The file is empty' }] }] },
)

/** An absent key leaves the caption unchanged; null and blanks remove it. */
export const MediaEdit = Type.Object(
  { caption: Type.Optional(nullable(trimmedText({ maxLength: LENGTHS.caption }))) },
  { examples: [{ caption: 'Finish line' }] },
)

export const UploadFields = Type.Object({
  caption: Type.Optional(Type.String({ maxLength: LENGTHS.caption, description: 'For all files of the call' })),
})

export const FileParameters = Type.Object({
  small: Type.Optional(
    Type.Boolean({ default: false, description: 'true: a picture as a WebP of at most 480 px, where one can be made' }),
  ),
})

export const FileHeaders = Type.Object({
  range: Type.Optional(Type.String({ description: 'One range of bytes: `bytes=a-b`, `bytes=a-` or `bytes=-n`' })),
  'if-range': Type.Optional(Type.String({ description: 'Another ETag than the current one: the whole file' })),
  'if-none-match': Type.Optional(Type.String({ description: 'The current ETag: 304' })),
})
