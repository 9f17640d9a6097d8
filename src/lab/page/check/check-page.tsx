import { Notice } from '../shell/notice.tsx';
import { PageHeading } from '../shell/page-heading.tsx';

export default function CheckPage() {
  return (
    <>
      <PageHeading>Check</PageHeading>
      <Notice kind="empty" text="This page is empty." />
    </>
  );
}
