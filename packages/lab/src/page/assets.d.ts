// What vite makes of imports that are not TypeScript.
declare module '*.css';
declare module '*?worker&url' {
  const url: string;
  export default url;
}
declare module '*.html?url' {
  const url: string;
  export default url;
}
declare module 'virtual:kernel-api' {
  const api: import('./write/code/kernel-api.ts').KernelApi;
  export default api;
}
interface ImportMeta {
  /** Texts of files, by path. */
  glob(
    patterns: readonly string[],
    options: { readonly query: '?raw'; readonly import: 'default'; readonly eager: true },
  ): Record<string, string>;
}
