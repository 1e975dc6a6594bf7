import { counted } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource } from '../../state.ts'
import { Notice } from '../../ui/empty.tsx'

/** Missing files of the library, and files that belong to nothing; empty when there are none. */
export function FilesNotice() {
  const { data } = useResource('/settings/files')
  if (data === null) return null
  const { found, missing } = data
  return (
    <>
      {missing.count > 0 && (
        <Notice kind="bad">
          {counted(missing.count, 'file')} of your library {missing.count === 1 ? 'is' : 'are'} missing on the server:{' '}
          {missing.files.slice(0, 5).map(({ workoutId, filename }, place) => (
            <>
              {place > 0 && ', '}
              <Link href={`/app/runs/${workoutId}`}>{filename}</Link>
            </>
          ))}
          {missing.count > 5 && ' and others'}. The runs are complete; a backup may have the files.
        </Notice>
      )}
      {found.count > 0 && (
        <Notice>
          {counted(found.count, 'file')} without a run {found.count === 1 ? 'was' : 'were'} moved to the folder{' '}
          <code>found</code> on the server, where {found.count === 1 ? 'it is' : 'they are'} kept for{' '}
          {counted(found.keptDays, 'day')}. This is normal after an interrupted import.
        </Notice>
      )}
    </>
  )
}
