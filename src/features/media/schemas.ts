import { Type } from '@sinclair/typebox'
import { LENGTHS } from '../../base/texts.ts'
import {
  choice,
  ErrorBody,
  integer,
  meaning,
  moment,
  nullable,
  number,
  text,
  trimmedText,
  uuid,
} from '../../http/schemas.ts'
import { MEDIA_TYPES } from './sniff.ts'

export const Media = Type.Object(
  {
    id: uuid('For the path of the file'),
    filename: text('As uploaded, without path and control characters'),
    mimeType: meaning('By the content of the file', choice(...MEDIA_TYPES)),
    fileSizeBytes: integer('Bytes of the file'),
    caption: nullable(text('null: none')),
    createdAt: moment('When it was stored'),
    lat: nullable(number('Degrees north where it is on the map; null: unknown, or the run has no route')),
    lon: nullable(number('Degrees east; null: as lat')),
    placedBy: nullable(
      meaning(
        'gps: by its EXIF, within 2 km of the route; time: where the run was when it was taken, from 5 min before to 5 min after it',
        choice('gps', 'time'),
      ),
    ),
  },
  { title: 'WorkoutMedia' },
)

export const FileError = Type.Object(
  { filename: text('As uploaded, without path'), error: text('Why it was refused, for people') },
  { title: 'RefusedFile' },
)

const refused = Type.Array(FileError, { description: 'Each file that was refused' })

/** The list of all files, or of some with the errors of the others. */
export const MediaUpload = Type.Union(
  [
    Type.Array(Media),
    Type.Object(
      {
        uploaded: Type.Array(Media, { description: 'What was stored' }),
        errors: refused,
        successCount: integer('Files that were stored'),
        errorCount: integer('Files that were refused'),
      },
      { title: 'MediaUploadResults' },
    ),
  ],
  { title: 'MediaUpload', description: 'The list when all files were stored; the object when some were refused' },
)

/** `errors` is present when files were refused, not the request as a whole. */
export const MediaRefusal = Type.Object(
  {
    error: text('What is wrong, for people; of one file its reason'),
    code: meaning('As of every error', ErrorBody.properties.code),
    field: ErrorBody.properties.field,
    errors: Type.Optional(meaning('Each file; absent: the request as a whole was refused', refused)),
  },
  { title: 'MediaRefusal' },
)

/** An absent key leaves the caption unchanged; null and blanks remove it. */
export const MediaEdit = Type.Object(
  {
    caption: Type.Optional(
      nullable(trimmedText({ maxLength: LENGTHS.caption, description: 'null or blank: removed; absent: it stays' })),
    ),
  },
  { title: 'MediaEdit' },
)

export const UploadFields = Type.Object({
  caption: Type.Optional(text({ maxLength: LENGTHS.caption, description: 'For all files of the call; blank: none' })),
})

export const FileParameters = Type.Object({
  small: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'true: a picture as a WebP of at most 480 px; the file itself up to 60 KB, and where none can be made',
    }),
  ),
})

export const FileHeaders = Type.Object({
  range: Type.Optional(text('One range of bytes: `bytes=a-b`, `bytes=a-` or `bytes=-n`; others: the whole file')),
  'if-range': Type.Optional(text('Another ETag than the current one: the whole file')),
  'if-none-match': Type.Optional(text('The current ETag: 304')),
})
