import {
  modelsCancelBatch,
  modelsComplete,
  modelsCreateBatch,
  modelsCreateFile,
  modelsDraw,
  modelsEmbed,
  modelsList,
  modelsListBatches,
  modelsListFiles,
  modelsModerate,
  modelsReadFile,
  modelsRemoveFile,
  modelsRetrieve,
  modelsRetrieveBatch,
  modelsRetrieveFile,
  modelsTranscribe,
  modelsTranslate,
  modelsUsage,
} from '../generated/routes.ts'
import type {
  Completion,
  CompletionRequest,
  CreateStoredBatch,
  EmbeddingList,
  EmbeddingRequest,
  ImageList,
  ImageRequest,
  Model,
  ModelList,
  ModelUsage,
  Moderation,
  ModerationRequest,
  RemovedFile,
  StoredBatch,
  StoredFile,
  StoredLine,
  Transcription,
} from '../generated/types.ts'
import { type ItemStream, iterable, type PendingStream, readNdjson } from '../streams/item-stream.ts'
import { type List, list } from '../streams/pages.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { formUpload, type UploadOptions } from '../upload/upload-body.ts'
import { type Body, connect, type Connection, type Data, type Query } from './resource.ts'
import { upload } from './upload.ts'

/** A recording as a source. The transcript comes whole, as JSON. */
export type TranscribeRequest = Omit<Body<'models.transcribe'>, 'response_format' | 'stream'>
export type TranslateRequest = Omit<Body<'models.translate'>, 'response_format'>

/** Hosted models, and what the account uses of them. */
export interface Models {
  /** Lists the names that requests may use as `model`. */
  list(options?: RequestOptions): Pending<ModelList>
  retrieve(model: string, options?: RequestOptions): Pending<Model>
  /**
   * Lists requests and tokens by day in UTC and chat model, newest day first.
   *
   * @example
   * for await (const { date, model, total_tokens } of vaani.models.usage({ from: '2026-11-01' })) report(date, model, total_tokens)
   */
  usage(query?: Query<'models.usage'>, options?: RequestOptions): List<ModelUsage>
  /** Embeds texts by an upstream of the server; 404 if none does so with this model, as for the methods below. */
  embed(request: EmbeddingRequest, options?: RequestOptions): Pending<EmbeddingList>
  complete(request: CompletionRequest, options?: RequestOptions): Pending<Completion>
  moderate(request: ModerationRequest, options?: RequestOptions): Pending<Moderation>
  draw(request: ImageRequest, options?: RequestOptions): Pending<ImageList>
  /**
   * Transcribes a recording.
   *
   * @example
   * const { text } = await vaani.models.transcribe({ model: 'whisper-1', file: 'call.wav', language: 'ne' })
   */
  transcribe(request: TranscribeRequest, options?: RequestOptions & UploadOptions): Pending<Transcription>
  /** Transcribes a recording in English. */
  translate(request: TranslateRequest, options?: RequestOptions & UploadOptions): Pending<Transcription>
  /** Stores requests, one in each line, for a batch of an upstream. `batches` makes those of this server. */
  createFile(
    request: Body<'models.createFile'>,
    options?: RequestOptions & UploadOptions,
  ): Pending<StoredFile>
  /** Lists the files of the account and the results of its batches, newest first. */
  listFiles(query?: Query<'models.listFiles'>, options?: RequestOptions): Pending<Data<'models.listFiles'>>
  retrieveFile(fileId: string, options?: RequestOptions): Pending<StoredFile>
  /** Streams the lines of a file. */
  readFile(fileId: string, options?: RequestOptions): PendingStream<ItemStream<StoredLine>>
  removeFile(fileId: string, options?: RequestOptions): Pending<RemovedFile>
  createBatch(batch: CreateStoredBatch, options?: RequestOptions): Pending<StoredBatch>
  /** Lists the batches of files, newest first. */
  listBatches(
    query?: Query<'models.listBatches'>,
    options?: RequestOptions,
  ): Pending<Data<'models.listBatches'>>
  retrieveBatch(batchId: string, options?: RequestOptions): Pending<StoredBatch>
  cancelBatch(batchId: string, options?: RequestOptions): Pending<StoredBatch>
}

/** Creates the models namespace alone, for a smaller bundle. */
export function createModels(connection: Connection): Models {
  const transport = connect(connection)
  return {
    list: (options) => transport.send({ route: modelsList, options }),
    retrieve: (id, options) => transport.send({ route: modelsRetrieve, id, options }),
    usage: (query, options) => list(transport, { route: modelsUsage, query, options }),
    embed: (json, options) => transport.send({ route: modelsEmbed, json, options }),
    complete: (request, options) =>
      transport.send({ route: modelsComplete, json: { ...request, stream: false }, options }),
    moderate: (json, options) => transport.send({ route: modelsModerate, json, options }),
    draw: (json, options) => transport.send({ route: modelsDraw, json, options }),
    transcribe: ({ file, ...fields }, options) =>
      upload(transport, modelsTranscribe, formUpload, { media: { file }, fields }, options),
    translate: ({ file, ...fields }, options) =>
      upload(transport, modelsTranslate, formUpload, { media: { file }, fields }, options),
    createFile: ({ file, ...fields }, options) =>
      upload(transport, modelsCreateFile, formUpload, { media: { file }, fields }, options),
    listFiles: (query, options) => transport.send({ route: modelsListFiles, query, options }),
    retrieveFile: (id, options) => transport.send({ route: modelsRetrieveFile, id, options }),
    readFile: (id, options) =>
      iterable(
        transport.send({
          route: modelsReadFile,
          id,
          accept: 'application/x-ndjson',
          options,
          read: readNdjson<StoredLine>,
        }),
      ),
    removeFile: (id, options) => transport.send({ route: modelsRemoveFile, id, options }),
    createBatch: (json, options) => transport.send({ route: modelsCreateBatch, json, options }),
    listBatches: (query, options) => transport.send({ route: modelsListBatches, query, options }),
    retrieveBatch: (id, options) => transport.send({ route: modelsRetrieveBatch, id, options }),
    cancelBatch: (id, options) => transport.send({ route: modelsCancelBatch, id, options }),
  }
}
