/// What the parsers of users and of people make of every sample.
enum RestTable {
  /// The recordings.
  static let rows = """
    github-issue-comments.json | shape $ | 0 people, 3 rejects
    github-issues.json | shape $ | 0 people, 2 rejects
    github-releases.json | shape $ | 0 people, 5 rejects
    github-stargazers.json | shape $ | 0 people, 2 rejects
    github-tags.json | shape $ | 0 people, 2 rejects
    github-user-kean.json | shape $.email | shape $.data
    jsonplaceholder-db-small.derived.json | shape $.userId | shape $.data
    jsonplaceholder-user-1.derived.json | 1 profile | shape $.data
    jsonplaceholder-users.derived.json | shape $ | 0 people, 10 rejects
    randomuser-2020-etl.json | shape $.id | 1 people
    randomuser-v1.1-es.json | shape $.userId | 1 people
    randomuser-v1.4-gb.json | shape $.userId | 1 people
    reqres-user-2.json | shape $.data.name | 0 people, 1 rejects
    reqres-users-page1.json | shape $.data | 0 people, 6 rejects
    reqres-users-page5-empty.json | shape $.data | 0 people
    """
}
