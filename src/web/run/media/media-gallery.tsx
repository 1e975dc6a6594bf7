import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { LENGTHS } from '../../../base/texts.ts'
import { api, failureText } from '../../api.ts'
import { bytes, counted } from '../../format.ts'
import { useResource } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { canBeBroughtBack, toastDone } from '../../undo.ts'
import { TERMS } from '../../words.ts'
import type { Media } from '../types.ts'
import { Lightbox } from './lightbox.tsx'
import './media.css'

const ACCEPTED = '.jpg,.jpeg,.png,.gif,.webp,.heic,.mp4,.mov,.avi,.webm,.m4v,image/*,video/*'

/** Photos and videos of the run: added by dropping or choosing, each with a caption, enlarged when pressed. */
export function MediaGallery({ runId }: { readonly runId: string }) {
  const path = `/workouts/${runId}/media` as const
  const { data, error } = useResource(path)
  const [hiddenIds, setHiddenIds] = useState<readonly string[]>([])
  const [openId, setOpenId] = useState<string | null>(null)
  const [chosen, setChosen] = useState<readonly File[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  /** The medium to confirm deletion of, when it cannot be undone. */
  const [asked, setAsked] = useState<Media | null>(null)
  const input = useRef<HTMLInputElement>(null)
  /** Edited captions, shown before the service has answered. */
  const [captions, setCaptions] = useState<Readonly<Record<string, string | null>>>({})
  const shown = (data ?? [])
    .filter(({ id }) => !hiddenIds.includes(id))
    .map((medium) => ({ ...medium, caption: captionOf(medium, captions) }))
  const choose = (files: FileList | null | undefined) => {
    if (files === null || files === undefined || files.length === 0) return
    setFailure(null)
    setChosen([...files])
  }
  const remove = async (medium: Media, isSure = false) => {
    setOpenId(null)
    setAsked(null)
    if (!isSure && !(await canBeBroughtBack())) return setAsked(medium)
    setHiddenIds([...hiddenIds, medium.id])
    const show = () => setHiddenIds((now) => now.filter((id) => id !== medium.id))
    api
      .change('DELETE', `${path}/${medium.id}`)
      .then((receiptId) => toastDone(`${medium.filename} deleted`, [receiptId]))
      .catch((reason: unknown) => setFailure(words(reason)))
      // reloading shows what is stored
      .finally(show)
  }
  const saveCaption = async (medium: Media, caption: string | null) => {
    setCaptions((now) => ({ ...now, [medium.id]: caption }))
    try {
      await api.send('PATCH', `${path}/${medium.id}`, { caption })
      return null
    } catch (reason) {
      setCaptions((now) => Object.fromEntries(Object.entries(now).filter(([id]) => id !== medium.id)))
      return words(reason)
    }
  }
  return (
    <Card
      title="Photos and videos"
      class="run-media"
      aside={
        <Button size="small" icon="plus" onClick={() => input.current?.click()}>
          Add
        </Button>
      }
    >
      <input
        ref={input}
        type="file"
        class="hidden-text"
        tabIndex={-1}
        aria-label="Choose photos or videos"
        accept={ACCEPTED}
        multiple
        onChange={(event) => {
          choose(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      {(error !== null || failure !== null) && <Notice kind="bad">{failure ?? error?.message}</Notice>}
      {chosen.length > 0 && (
        <UploadForm path={path} files={chosen} onFailure={setFailure} onClose={() => setChosen([])} />
      )}
      <DropField isEmpty={shown.length === 0 && chosen.length === 0} onFiles={choose}>
        {shown.length > 0 && (
          <ul class="media-grid stack gap-2">
            {shown.map((medium) => (
              <li key={medium.id}>
                <button
                  type="button"
                  id={`media-${medium.id}`}
                  class="media-thumb"
                  aria-label={`Show ${medium.caption ?? medium.filename}`}
                  onClick={() => setOpenId(medium.id)}
                >
                  <Thumb path={path} medium={medium} />
                </button>
                {medium.caption !== null && (
                  <p class="media-caption muted small" title={medium.caption}>
                    {medium.caption}
                  </p>
                )}
              </li>
            ))}
          </ul>
        )}
      </DropField>
      {openId !== null && (
        <Lightbox
          path={path}
          media={shown}
          openId={openId}
          onOpen={setOpenId}
          onRemove={(medium) => void remove(medium)}
          onCaption={saveCaption}
        />
      )}
      {asked !== null && (
        <Confirm
          title={`Delete ${asked.filename}?`}
          action="Delete"
          onConfirm={() => void remove(asked, true)}
          onClose={() => setAsked(null)}
        >
          <p class="muted">{TERMS.cannotUndo}</p>
        </Confirm>
      )}
    </Card>
  )
}

interface DropFieldProps {
  readonly isEmpty: boolean
  readonly onFiles: (files: FileList | null | undefined) => void
  readonly children: ComponentChildren
}

function DropField({ isEmpty, onFiles, children }: DropFieldProps) {
  const [isOver, setOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is another way of the button above
    <div
      class={isOver ? 'media-drop over' : 'media-drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onFiles(event.dataTransfer?.files)
      }}
    >
      {isEmpty ? <p class="muted small">Drop photos or videos here.</p> : children}
    </div>
  )
}

function Thumb({ path, medium }: { readonly path: string; readonly medium: Media }) {
  const [isBroken, setBroken] = useState(false)
  const source = `${path}/${medium.id}`
  if (isBroken) {
    return (
      <span class="media-file muted tiny">
        <Icon name="file" />
        <span>{medium.filename}</span>
      </span>
    )
  }
  if (medium.mimeType.startsWith('video/')) {
    return (
      <>
        <video src={`${source}#t=0.1`} preload="metadata" muted playsInline onError={() => setBroken(true)} />
        <span class="media-play" aria-hidden="true" />
      </>
    )
  }
  return <img src={`${source}?small=true`} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
}

interface UploadFormProps {
  readonly path: `/workouts/${string}/media`
  readonly files: readonly File[]
  readonly onFailure: (words: string | null) => void
  readonly onClose: () => void
}

/** Form for files to upload, with a common caption. */
function UploadForm({ path, files, onFailure, onClose }: UploadFormProps) {
  const [caption, setCaption] = useState('')
  const [progress, setProgress] = useState<number | null>(null)
  const size = files.reduce((sum, file) => sum + file.size, 0)
  const send = async () => {
    onFailure(null)
    setProgress(0)
    const fields: Record<string, string> = caption.trim() === '' ? {} : { caption: caption.trim() }
    try {
      const answer = await api.upload(path, files, fields, (sent, total) => setProgress(sent / total))
      if ('errors' in answer) onFailure(answer.errors.map(({ filename, error }) => `${filename}: ${error}`).join('. '))
      onClose()
    } catch (error) {
      onFailure(words(error))
      setProgress(null)
    }
  }
  return (
    <form
      class="media-upload below-4 stack"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <p class="small">
        {files.length === 1 ? files[0]!.name : counted(files.length, 'file')} <span class="muted">{bytes(size)}</span>
      </p>
      <input
        class="input"
        aria-label="Caption"
        placeholder="Caption (optional)"
        value={caption}
        maxLength={LENGTHS.caption}
        disabled={progress !== null}
        onInput={(event) => setCaption(event.currentTarget.value)}
      />
      {progress !== null && <progress value={progress} aria-label="Upload" />}
      <div class="actions start">
        <Button kind="primary" size="small" type="submit" isBusy={progress !== null}>
          Upload
        </Button>
        <Button size="small" disabled={progress !== null} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function captionOf({ id, caption }: Media, changed: Readonly<Record<string, string | null>>): string | null {
  const wanted = changed[id]
  return wanted === undefined ? caption : wanted
}

function words(reason: unknown): string {
  return failureText(reason)
}
