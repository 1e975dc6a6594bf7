import type { Static } from '@sinclair/typebox'
import type { LibraryFiles } from '../../../settings/schemas.ts'
import { number } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource } from '../../state.ts'
import { Notice } from '../../ui/empty.tsx'

/** Missing files of the library, and files that belong to nothing; empty when there are none. */
export function FilesNotice() {
  const { data } = useResource<Static<typeof LibraryFiles>>('/settings/files')
  if (data === null) return null
  const { found, missing } = data
  return (
    <>
      {missing.count > 0 && (
        <Notice kind="bad">
          {missing.count === 1 ? 'One file of your library is' : `${number(missing.count)} files of your library are`}{' '}
          missing on the disk of the server:{' '}
          {missing.files.slice(0, 5).map(({ workoutId, filename }, place) => (
            <>
              {place > 0 && ', '}
              <Link href={`/app/runs/${workoutId}`}>{filename}</Link>
            </>
          ))}
          {missing.count > 5 && ' and others'}. The runs themselves are whole; a backup may have the files.
        </Notice>
      )}
      {found.count > 0 && (
        <Notice>
          {found.count === 1 ? 'One file that belongs' : `${number(found.count)} files that belong`} to no run{' '}
          {found.count === 1 ? 'lies' : 'lie'} in the folder <code>found</code> of the server, for {found.keptDays}{' '}
          days. After an interrupted import that is nothing to worry about.
        </Notice>
      )}
    </>
  )
}
