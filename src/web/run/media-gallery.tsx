import { useEffect, useRef, useState } from 'preact/hooks'
import { LENGTHS } from '../../base/texts.ts'
import { canBeBroughtBack, toastDone } from '../actions.ts'
import { api, failureText } from '../api.ts'
import { bytes, number } from '../format.ts'
import { useBackStep } from '../router.ts'
import { useResource } from '../state.ts'
import { Button, Icon } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Confirm, useModal } from '../ui/dialog.tsx'
import { Notice } from '../ui/loaded.tsx'
import { TERMS } from '../words.ts'
import { useLine } from './run-head.tsx'
import type { Media } from './run-view.ts'

const ACCEPTED = '.jpg,.jpeg,.png,.gif,.webp,.heic,.mp4,.mov,.avi,.webm,.m4v,image/*,video/*'

/** Photos and videos of the run: added by dropping or choosing, each with a caption, enlarged when pressed. */
export function MediaGallery({ runId }: { readonly runId: string }) {
  const path = `/workouts/${runId}/media` as const
  const { data, error } = useResource(path)
  const [hiddenIds, setHiddenIds] = useState<readonly string[]>([])
  const [openId, setOpenId] = useState<string | null>(null)
  /** Share of what was chosen that is sent; null: nothing is. */
  const [progress, setProgress] = useState<number | null>(null)
  const [isOver, setOver] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  /** The medium to confirm deletion of, when it cannot be undone. */
  const [asked, setAsked] = useState<Media | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const shown = (data ?? []).filter(({ id }) => !hiddenIds.includes(id))
  const upload = async (files: FileList | null | undefined) => {
    if (files === null || files === undefined || files.length === 0 || progress !== null) return
    setFailure(null)
    setProgress(0)
    try {
      const answer = await api.upload(path, [...files], {}, (sent, total) => setProgress(sent / total))
      if ('errors' in answer) setFailure(answer.errors.map(({ filename, error }) => `${filename}: ${error}`).join('. '))
    } catch (reason) {
      setFailure(failureText(reason))
    }
    setProgress(null)
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
      .catch((reason: unknown) => setFailure(failureText(reason)))
      // reloading shows what is stored
      .finally(show)
  }
  return (
    <Card
      title="Photos and videos"
      class="run-media"
      aside={
        <Button size="small" icon="plus" isBusy={progress !== null} onClick={() => input.current?.click()}>
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
          // the list is emptied with the field
          void upload(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      {(error !== null || failure !== null) && (
        <div class="below-4">
          <Notice kind="bad">{failure ?? error?.message}</Notice>
        </div>
      )}
      {progress !== null && <progress class="media-progress" value={progress} aria-label="Upload" />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is another way of the button above */}
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
          void upload(event.dataTransfer?.files)
        }}
      >
        {shown.length === 0 ? (
          <p class="muted small">Drop photos or videos here.</p>
        ) : (
          <ul class="media-grid stack gap-2">
            {shown.map((medium) => (
              <li key={medium.id}>
                <button
                  type="button"
                  id={`media-${medium.id}`}
                  class="media-thumb bare"
                  aria-label={`Show ${medium.caption ?? medium.filename}`}
                  onClick={() => setOpenId(medium.id)}
                >
                  <Thumb path={path} medium={medium} />
                </button>
                {medium.caption !== null && (
                  <p class="media-caption cut muted small" title={medium.caption}>
                    {medium.caption}
                  </p>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
      {openId !== null && (
        <Lightbox
          path={path}
          media={shown}
          openId={openId}
          onOpen={setOpenId}
          onRemove={(medium) => void remove(medium)}
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

function Thumb({ path, medium }: { readonly path: string; readonly medium: Media }) {
  const [isBroken, setBroken] = useState(false)
  const source = `${path}/${medium.id}`
  if (isBroken) {
    return (
      <span class="media-file breaks stack gap-1 muted tiny">
        <Icon name="file" />
        <span>{medium.filename}</span>
      </span>
    )
  }
  if (medium.mimeType.startsWith('video/')) {
    return (
      <>
        <video src={`${source}#t=0.1`} preload="metadata" muted playsInline onError={() => setBroken(true)} />
        <span class="media-play" aria-hidden="true">
          ▶
        </span>
      </>
    )
  }
  return <img src={`${source}?small=true`} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
}

type MediaPath = `/workouts/${string}/media`
type MediumPath = `${MediaPath}/${string}`

interface LightboxProps {
  readonly path: MediaPath
  readonly media: readonly Media[]
  readonly openId: string
  readonly onOpen: (id: string | null) => void
  readonly onRemove: (medium: Media) => void
}

/** One photo or video in the size of the window; arrow keys go on, Escape and Back close it, and the focus returns. */
function Lightbox({ path, media, openId, onOpen, onRemove }: LightboxProps) {
  const close = () => onOpen(null)
  useBackStep(close)
  const modal = useModal(close)
  const at = media.findIndex(({ id }) => id === openId)
  const medium = media[at]
  const isGone = medium === undefined
  useEffect(() => {
    if (isGone) onOpen(null)
  }, [isGone, onOpen])
  if (medium === undefined) return null
  const go = (step: number) => onOpen(media[(at + step + media.length) % media.length]?.id ?? null)
  const isVideo = medium.mimeType.startsWith('video/')
  return (
    <dialog
      {...modal}
      class="lightbox"
      aria-label={medium.caption ?? medium.filename}
      onKeyDown={(event) => {
        // a video uses the arrow keys itself
        if (event.target instanceof HTMLVideoElement || media.length < 2) return
        if (event.key === 'ArrowLeft') go(-1)
        if (event.key === 'ArrowRight') go(1)
      }}
    >
      <div class="level">
        <span class="grow cut small">
          {media.length > 1 ? `${number(at + 1)} of ${number(media.length)} · ` : ''}
          {medium.filename}
        </span>
        <a class="button quiet small" href={`${path}/${medium.id}`} download={medium.filename}>
          Save ({bytes(medium.fileSizeBytes)})
        </a>
        <Button kind="quiet" size="small" icon="trash" aria-label="Delete" onClick={() => onRemove(medium)} />
        <Button kind="quiet" size="small" icon="close" aria-label="Close" onClick={close} />
      </div>
      <div class="lightbox-stage level gap-3">
        {media.length > 1 && <Button kind="quiet" icon="left" aria-label="Previous" onClick={() => go(-1)} />}
        {isVideo ? (
          // biome-ignore lint/a11y/useMediaCaption: a runner's own video has no captions
          <video key={medium.id} src={`${path}/${medium.id}`} controls autoPlay playsInline preload="metadata" />
        ) : (
          <img key={medium.id} src={`${path}/${medium.id}`} alt={medium.caption ?? medium.filename} />
        )}
        {media.length > 1 && <Button kind="quiet" icon="right" aria-label="Next" onClick={() => go(1)} />}
      </div>
      <CaptionLine key={medium.id} path={`${path}/${medium.id}`} stored={medium.caption} />
    </dialog>
  )
}

/** The caption of a picture, edited in place; what was typed is shown before the service has answered. */
function CaptionLine({ path, stored }: { readonly path: MediumPath; readonly stored: string | null }) {
  const [typed, setTyped] = useState<string | null | undefined>(undefined)
  const caption = typed === undefined ? stored : typed
  const { isOpen, failure, button, input, onSubmit } = useLine(caption, async (text) => {
    setTyped(text)
    try {
      await api.send('PATCH', path, { caption: text })
      return null
    } catch (reason) {
      setTyped(undefined)
      return failureText(reason)
    }
  })
  if (!isOpen) {
    return (
      <p class="lightbox-caption stack">
        <button type="button" class="button quiet" {...button}>
          {caption ?? 'Add a caption'}
          <Icon name="edit" />
          {caption !== null && <span class="hidden-text"> – edit caption</span>}
        </button>
      </p>
    )
  }
  return (
    <form class="lightbox-caption stack" onSubmit={onSubmit}>
      <input
        {...input}
        class="input"
        aria-label="Caption"
        placeholder="Caption"
        maxLength={LENGTHS.caption}
        onKeyDown={(event) => {
          // arrow keys move within the text, not to the next picture
          event.stopPropagation()
          input.onKeyDown(event)
        }}
      />
      {failure !== null && <span role="alert">{failure}</span>}
    </form>
  )
}
