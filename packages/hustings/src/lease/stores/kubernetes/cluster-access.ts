/** How the API server is reached, and who asks. */
export interface ClusterAccess {
  /** For messages: where the credentials come from. */
  readonly source: string;
  readonly server: URL;
  /** The namespace of the service account, or of the context. */
  readonly namespace: string;
  readonly token: string | null;
  readonly tls: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    readonly servername?: string;
    readonly rejectUnauthorized?: boolean;
  };
}
