/// What the two Flickr parsers make of every sample: a name, the page of photos, and the person.
enum FlickrTable {
  static let rows = """
    djangoflickr-collection_tree_col_cols.json | shape $.photos | shape $.person
    djangoflickr-collection_tree_col_sets.json | shape $.photos | shape $.person
    djangoflickr-collection_tree_user.json | shape $.photos | shape $.person
    djangoflickr-exif.json | shape $.photos | shape $.person
    djangoflickr-photos.json | 6 of 853 photos | shape $.person
    djangoflickr-photos_extras.json | 4 of 859 photos | shape $.person
    djangoflickr-set_info.json | shape $.photoset.photo | shape $.person
    djangoflickr-set_photos.json | 6 of 6 photos | shape $.person
    djangoflickr-user.json | shape $.photos | 1 owner
    fail-100-jsonp.js | Flickr 100 | Flickr 100
    fail-98-spaced-jsonp.js | Flickr 98 | Flickr 98
    flickr-objects-upload-xmlfail-132.xml | Flickr 100 | Flickr 100
    flickr.interestingness.getList-flickr-objects-1.json | 94 of 500 photos | shape $.person
    flickr.people.findByEmail-flickr-objects-1.json | shape $.photos | shape $.person
    flickr.people.findByUsername-flickrie-1.json | shape $.photos | shape $.person
    flickr.people.getInfo-flickr-objects-1.json | shape $.photos | 1 owner
    flickr.people.getPhotos-flickrie-1.json | 98 of 98 photos | shape $.person
    flickr.people.getPhotos-flickrie-2.json | 99 of 99 photos | shape $.person
    flickr.people.getPhotos-flickrie-3.json | 98 of 98 photos | shape $.person
    flickr.people.getPhotos-flickrie-4.json | 99 of 99 photos | shape $.person
    flickr.people.getPhotos-flickrie-5.json | 99 of 99 photos | shape $.person
    flickr.people.getPhotosOf-flickr-objects-1.json | 1 of 1 photos | shape $.person
    flickr.people.getPhotosOf-flickr-objects-2.json | 2 of 2 photos | shape $.person
    flickr.people.getUploadStatus-flickr-objects-1.json | shape $.photos | shape $.person
    flickr.photos.comments.getList-flickrie-1.json | shape $.photos | shape $.person
    flickr.photos.comments.getList-flickrie-2.json | shape $.photos | shape $.person
    flickr.photos.getContactsPhotos-flickrie-1.json | 1 of 2 photos | shape $.person
    flickr.photos.getContactsPublicPhotos-flickr-objects-1.json | 2 of 2 photos | shape $.person
    flickr.photos.getContactsPublicPhotos-flickr-objects-2.json | 0 of 0 photos | shape $.person
    flickr.photos.getContext-flickrie-1.json | shape $.photos | shape $.person
    flickr.photos.getExif-flickrie-1.json | shape $.photos | shape $.person
    flickr.photos.getExif-flickrie-2.json | shape $.photos | shape $.person
    flickr.photos.getFavorites-flickr-objects-1.json | shape $.photos | shape $.person
    flickr.photos.getFavorites-flickrie-1.json | shape $.photos | shape $.person
    flickr.photos.getInfo-flickrie-1.json | shape $.photos | shape $.person
    flickr.photos.getInfo-flickrie-2.json | shape $.photos | shape $.person
    flickr.photos.getInfo-flickrie-3.json | shape $.photos | shape $.person
    flickr.photos.getInfo-flickrie-4.json | shape $.photos | shape $.person
    flickr.photos.getInfo-flickrie-5.json | shape $.photos | shape $.person
    flickr.photos.getInfo-flickrie-6.json | shape $.photos | shape $.person
    flickr.photos.getNotInSet-flickrie-1.json | 0 of 0 photos | shape $.person
    flickr.photos.getNotInSet-flickrie-2.json | 1 of 1 photos | shape $.person
    flickr.photos.getPerms-flickrie-1.json | shape $.photos | shape $.person
    flickr.photos.getRecent-flickrie-1.json | 100 of 1000 photos | shape $.person
    flickr.photos.getRecent-flickrie-2.json | 100 of 1000 photos | shape $.person
    flickr.photos.getRecent-flickrie-3.json | 100 of 1000 photos | shape $.person
    flickr.photos.getSizes-flickr-objects-1.json | shape $.photos | shape $.person
    flickr.photos.getSizes-flickrie-1.json | shape $.photos | shape $.person
    flickr.photos.getSizes-flickrie-2.json | shape $.photos | shape $.person
    flickr.photos.getUntagged-flickr-objects-1.json | 1 of 1 photos | shape $.person
    flickr.photos.getUntagged-flickr-objects-2.json | 2 of 2 photos | shape $.person
    flickr.photos.getWithGeoData-flickrie-1.json | 2 of 2 photos | shape $.person
    flickr.photos.getWithGeoData-flickrie-2.json | 1 of 1 photos | shape $.person
    flickr.photos.getWithGeoData-flickrie-3.json | 1 of 1 photos | shape $.person
    flickr.photos.getWithGeoData-flickrie-4.json | 1 of 1 photos | shape $.person
    flickr.photos.getWithoutGeoData-flickrie-1.json | 97 of 97 photos | shape $.person
    flickr.photos.licenses.getInfo-flickr-objects-1.json | shape $.photos | shape $.person
    flickr.photos.recentlyUpdated-flickr-objects-1.json | 2 of 2 photos | shape $.person
    flickr.photos.search-flickrie-1.json | 97 of 97 photos | shape $.person
    flickr.photos.search-flickrie-2.json | 97 of 97 photos | shape $.person
    flickr.photos.setMeta-flickr-objects-1.json | shape $.photos | shape $.person
    flickr.photos.setPerms-flickr-objects-1.json | shape $.photos | shape $.person
    flickr.photos.upload.checkTickets-flickrie-1.json | shape $.photos | shape $.person
    flickr.photos.upload.checkTickets-flickrie-2.json | shape $.photos | shape $.person
    flickr.photosets.create-flickr-objects-1.json | shape $.photoset.photo | shape $.person
    flickr.photosets.getContext-flickrie-1.json | shape $.photos | shape $.person
    flickr.photosets.getInfo-flickr-objects-1.json | shape $.photoset.photo | shape $.person
    flickr.photosets.getInfo-flickrie-1.json | shape $.photoset.photo | shape $.person
    flickr.photosets.getList-flickrie-1.json | shape $.photos | shape $.person
    flickr.photosets.getPhotos-flickr-objects-1.json | 1 of 1 photos | shape $.person
    flickr.photosets.getPhotos-flickr-objects-2.json | 1 of 1 photos | shape $.person
    flickr.photosets.removePhotos-flickrie-1.json | Flickr 1 | Flickr 1
    flickr.reflection.getMethods-flickrie-1.json | shape $.photos | shape $.person
    flickr.test.login-flickr-objects-1.json | shape $.photos | shape $.person
    flickr.test.null-flickr-objects-1.json | Flickr 100 | Flickr 100
    flickrie-oauth-oauth_problem-token_rejected.txt | foreign $ | foreign $
    flickrie-upload-xmlfail-107.xml | Flickr 1 | Flickr 1
    flickrios-simple-805503.json | 20 of 5750834 photos | shape $.person
    flickrnet-camera-1.json | shape $.photos | shape $.person
    flickrnet-camera-2.json | shape $.photos | shape $.person
    flickrnet-cluster-1.json | shape $.photos | shape $.person
    flickrnet-cluster-2.json | 18 of ? photos | shape $.person
    flickrnet-cluster-3.json | shape $.photos | shape $.person
    flickrnet-collection-1.json | shape $.photos | shape $.person
    flickrnet-collection-2.json | shape $.photos | shape $.person
    flickrnet-comment-1.json | shape $.photos | shape $.person
    flickrnet-contact-1.json | shape $.photos | shape $.person
    flickrnet-csvfile-1.json | shape $.photos | shape $.person
    flickrnet-domain-1.json | shape $.photos | shape $.person
    flickrnet-gallery-1.json | shape $.photos | shape $.person
    flickrnet-gallery-2.json | shape $.photos | shape $.person
    flickrnet-group-1.json | shape $.photos | shape $.person
    flickrnet-group-2.json | shape $.photos | shape $.person
    flickrnet-group-3.json | shape $.photos | shape $.person
    flickrnet-institution-1.json | shape $.photos | shape $.person
    flickrnet-license-1.json | shape $.photos | shape $.person
    flickrnet-namespace-1.json | shape $.photos | shape $.person
    flickrnet-oauth-1.json | shape $.photos | shape $.person
    flickrnet-pair-1.json | shape $.photos | shape $.person
    flickrnet-panda-2.json | 2 of 120 photos | shape $.person
    flickrnet-peopleperson-1.json | shape $.photos | shape $.person
    flickrnet-perms-1.json | shape $.photos | shape $.person
    flickrnet-photoexif-1.json | shape $.photos | shape $.person
    flickrnet-photoinfo-1.json | shape $.photos | shape $.person
    flickrnet-photoperson-1.json | shape $.photos | shape $.person
    flickrnet-photoset-1.json | shape $.photoset.photo | shape $.person
    flickrnet-photoset-2.json | shape $.photos | shape $.person
    flickrnet-photosetphoto-1.json | 2 of 2 photos | shape $.person
    flickrnet-phototag-1.json | shape $.photos | shape $.person
    flickrnet-predicate-1.json | shape $.photos | shape $.person
    flickrnet-profile-1.json | shape $.photos | shape $.person
    flickrnet-reply-1.json | shape $.photos | shape $.person
    flickrnet-subscription-1.json | shape $.photos | shape $.person
    flickrnet-tag-1.json | shape $.photos | shape $.person
    flickrnet-ticket-1.json | shape $.photos | shape $.person
    flickrnet-uploadstatus-1.json | shape $.photos | shape $.person
    flickrnet-value-1.json | shape $.photos | shape $.person
    getInfo-allauth-nulls.json | shape $.photos | 1 owner
    getInfo-borkazoid.json | shape $.photos | 1 owner
    getInfo-hellovidev-8b0fb0.json | shape $.photos | shape $.person
    getInfo-no-realname-location.derived.json | shape $.photos | 1 owner
    search-empty-jsonp.js | 0 of 0 photos | shape $.person
    spring-activity-81d382.json | shape $.photos | shape $.person
    spring-activity2-7ea30c.json | shape $.photos | shape $.person
    spring-blogservice-d3edde.json | shape $.photos | shape $.person
    spring-brands-14431e.json | shape $.photos | shape $.person
    spring-comment-b089b4.json | shape $.photos | shape $.person
    spring-galleries-a33e73.json | shape $.photos | shape $.person
    spring-gallerydetail-89b6e4.json | shape $.photos | shape $.person
    spring-galleryforphoto-2dacf8.json | shape $.photos | shape $.person
    spring-galleryphotos-aafc4e.json | 4 of 4 photos | shape $.person
    spring-group-0c47bf.json | shape $.photos | shape $.person
    spring-institute-2207ec.json | syntax $.institutions.institution[12].name._content | syntax $.institutions.institution[12].name._content
    spring-namespaces-a0dd42.json | shape $.photos | shape $.person
    spring-pairs-c58116.json | shape $.photos | shape $.person
    spring-pandaphotos-c0bdf0.json | 18 of 22 photos | shape $.person
    spring-people-99f0b9.json | shape $.photos | shape $.person
    spring-peopleinfo-3b6f67.json | shape $.photos | 1 owner
    spring-peopleinfo-8a5d85.json | shape $.photos | 1 owner
    spring-perms-a04514.json | shape $.photos | shape $.person
    spring-photoInfo-ec95ae.json | shape $.photos | shape $.person
    spring-photocount-fbe5cd.json | shape $.photos | shape $.person
    spring-photodetail-5058fd.json | shape $.photos | shape $.person
    spring-photodetail-ad71de.json | shape $.photos | shape $.person
    spring-photogeobyloc-4093ae.json | 2 of 2 photos | shape $.person
    spring-photogeoperms-5ec85b.json | shape $.photos | shape $.person
    spring-photoset2-340426.json | 2 of 2 photos | shape $.person
    spring-photosets-c58ae1.json | shape $.photos | shape $.person
    spring-placebbox-0abca1.json | shape $.photos | shape $.person
    spring-placeschildren-0372a2.json | shape $.photos | shape $.person
    spring-placesforcontact-9759a2.json | shape $.photos | shape $.person
    spring-placesfortags-26b248.json | shape $.photos | shape $.person
    spring-placesinfo-5334b3.json | shape $.photos | shape $.person
    spring-predicates-6fe88d.json | shape $.photos | shape $.person
    spring-prefsgetcontenttype-7b5071.json | shape $.photos | shape $.person.username
    spring-prefsgetgeoperms-235caf.json | shape $.photos | shape $.person.username
    spring-prefsgetprivacy-295dbb.json | shape $.photos | shape $.person.username
    spring-recent-4e7d8b.json | 3 of 1000 photos | shape $.person
    spring-reply-b94de0.json | shape $.photos | shape $.person
    spring-shapehistory-ca8c69.json | shape $.photos | shape $.person
    spring-sizes-7d1e11.json | shape $.photos | shape $.person
    spring-suggestions-182ca1.json | shape $.photos | shape $.person
    spring-suggestoinlist-514322.json | shape $.photos | shape $.person
    spring-tagPhotos-823035.json | syntax $.photos.photo[14].username | syntax $.photos.photo[14].username
    spring-testuser-26ef56.json | shape $.photos | shape $.person
    spring-testuser-3364e1.json | shape $.photos | shape $.person
    spring-topics-9cc589.json | shape $.photos | shape $.person
    spring-user-3ccb47.json | shape $.photos | shape $.person
    """
}
